/** Day-to-day variation without chance: the same person, name and day always give the same number. */

/** About normal (sum of four), mean 0, deviation 1, never beyond ±3.5. */
export function wobble(seed: number, ...name: readonly (string | number)[]): number {
  const text = name.join('|')
  let sum = 0
  for (let round = 0; round < 4; round++) sum += uniform(seed + round * 0x9e3779b9, text)
  return (sum - 2) * 1.732
}

/** In [0, 1). */
export function uniform(seed: number, text: string): number {
  let value = (seed ^ 0x811c9dc5) | 0
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0) / 4_294_967_296
}

/** @param decimals places kept; a value such as 1.005 is moved by less than a unit of its last place. */
export function round(value: number, decimals = 0): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}
