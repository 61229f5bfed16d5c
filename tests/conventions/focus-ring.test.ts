/** One focus ring: what has the focus looks the same wherever it is. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'app/styles'

/** In forced colors the system's own color says it; two places draw the ring on what surrounds them. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'modes.css': ['2px solid Highlight'],
  'overlays.css': ['none', '0'],
}

test('every outline in the styles is the focus ring, in its own color', () => {
  const outlines = readdirSync(folder).flatMap((file) =>
    [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^\s*outline:\s*([^;]+);/gm)].map(
      ([, value = '']) => [file, value] as const,
    ),
  )

  expect(outlines.length).toBeGreaterThan(4)
  expect(
    outlines.filter(([file, value]) => value !== '2px solid var(--focus)' && !allowed[file]?.includes(value)),
  ).toEqual([])
})
