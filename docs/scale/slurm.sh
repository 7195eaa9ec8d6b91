#!/usr/bin/env bash
#SBATCH --job-name=astragal
#SBATCH --array=1-1000
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
# One part of a simulation for each task of the array. COUNTS is a folder that all nodes share.
# PARTS must be the number of tasks above.
set -euo pipefail

GAME=elemental-clash
SEED=1
PLAYOUTS=1000000000
PARTS=1000

part="$SLURM_ARRAY_TASK_ID"
counts="${COUNTS:?a folder that all nodes share}/part-$part.json"
# A requeued task resumes from its counts.
[[ -e "$counts" ]] && resume=--resume || resume=
astragal simulate "$GAME" -n "$PLAYOUTS" --seed "$SEED" --shard "$part/$PARTS" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --format json --out "$counts" $resume
