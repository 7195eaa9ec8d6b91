//! Why a table cannot be opened.

use crate::diagnostic::{Diagnostics, diagnostics};
use crate::host::exit::{Exit, Failure};
use crate::source::Sources;

diagnostics! {
    /// What a server lacks.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) enum ServeError;

    serve::address => Address { address: String, reason: String },
        "cannot listen at `{address}`: {reason}",
        help: "choose another port with `--port`, or an address of this machine with `--address`";
    serve::page => Page,
        "this program was built without the page of a seat",
        help: "build it in the folder `web` with `npm run seat`, and name it: \
            `--page web/dist/seat.html`";
    serve::people => People,
        "every seat has a bot, so that nobody can play",
        help: "leave a seat to a person; `astragal play` shows a game between bots";
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        let exit = if error == ServeError::People { Exit::Usage } else { Exit::No };
        let diagnostics = Diagnostics::of(error);
        Failure::Findings { sources: Sources::default(), diagnostics, exit }
    }
}
