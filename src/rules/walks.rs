//! Finds walks over a board that come back to where they begin.

use crate::rules::Value;

/// Whether some walk comes back to where it begins. Each row of `size` cells is one direction, and says for each
/// cell which one follows.
pub(crate) fn goes_round(cells: &[Value], size: usize) -> bool {
    cells.chunks(size).any(|next| {
        // The number of the walk that came by each cell first.
        let mut seen = vec![None; size];
        (0..size).any(|start| {
            let mut at = Some(start);
            while let Some(cell) = at {
                match seen[cell] {
                    Some(walk) => return walk == start,
                    None => seen[cell] = Some(start),
                }
                let Value::Int(to) = next[cell] else { break };
                at = usize::try_from(to).ok();
            }
            false
        })
    })
}
