/** Parameters of a statement in the making. */

/** Binds a value and gives its place, `$3`. */
export type Bind = (value: unknown) => string

export function createBinds(): { bind: Bind; values: unknown[] } {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}
