/**
 * Repeatable random numbers. Every person has their own stream, so that a person does not depend on the number of people
 * before them or on how the work is divided.
 * sfc32: Chris Doty-Humphrey, http://pracrand.sourceforge.net/ (public domain).
 */
import { base, en, en_US, Faker, type Randomizer } from '@faker-js/faker'

export interface Chance {
  /** In [0, 1). */
  readonly next: () => number
  /** An integer between both ends, inclusive. */
  readonly integer: (min: number, max: number) => number
  readonly pick: <Value>(values: readonly Value[]) => Value
  /** True with the probability `share`. */
  readonly happens: (share: number) => boolean
  readonly faker: Faker
}

export interface Randomness {
  /** Starts the stream of that name. The previous one must not be used any more. */
  readonly stream: (...name: readonly (string | number)[]) => Chance
}

export function createRandomness(seed: number): Randomness {
  const randomizer = sfc32()
  const faker = new Faker({ locale: [en_US, en, base], randomizer })
  const next = randomizer.next
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[integer(0, values.length - 1)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }
  const chance: Chance = { next, integer, pick, happens: (share) => next() < share, faker }
  return {
    stream: (...name) => {
      randomizer.seed(hash([seed, ...name].join('|')))
      return chance
    },
  }
}

/** Uses arrow functions, because faker calls `next` without its object. */
function sfc32(): Randomizer {
  let [a, b, c, d] = [0, 0, 0, 1]
  const next = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  const seed = (state: number | number[]): void => {
    const words = typeof state === 'number' ? [state] : state
    a = (words[0] ?? 0) | 0
    b = (words[1] ?? 0) | 0
    c = (words[2] ?? 0) | 0
    d = (words[3] ?? 0) | 0 || 1
    for (let round = 0; round < 12; round++) next()
  }
  return { next, seed }
}

/** FNV-1a over UTF-16 units, four times with different beginnings. */
function hash(text: string): number[] {
  return [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35].map((start) => {
    let value = start | 0
    for (let index = 0; index < text.length; index++) {
      value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
    }
    return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  })
}
