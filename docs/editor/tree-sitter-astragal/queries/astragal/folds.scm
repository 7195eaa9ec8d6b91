[
  (block)
  (drawn)
] @fold
