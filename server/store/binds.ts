/** Parameters of a statement in the making. */

/** Binds a value and gives its place, `$3`. */
export type Bind = (value: unknown) => string

export function createBinds(): { bind: Bind; values: unknown[] } {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

/**
 * Places at which the planner does not look, so that it keeps one plan for all values. Where it sees that a value is
 * rare it takes that plan for dear, and plans each call anew, which takes longer than the call. A place without a type
 * is text.
 */
export function unforeseen(bind: Bind): Bind {
  return (value) => `(SELECT ${bind(value)})`
}
