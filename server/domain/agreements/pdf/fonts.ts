/** The typefaces that documents embed: Source Sans 3, whole, so that names keep their diacritics. */
import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'
import { LRUCache } from 'lru-cache'

const family = '@expo-google-fonts/source-sans-3'
const files = {
  regular: `${family}/400Regular/SourceSans3_400Regular.ttf`,
  bold: `${family}/600SemiBold/SourceSans3_600SemiBold.ttf`,
  italic: `${family}/400Regular_Italic/SourceSans3_400Regular_Italic.ttf`,
} as const
export type FontName = keyof typeof files

let opened: Readonly<Record<FontName, Font>> | null = null

/** Read when the first document is made, and shared: reading the tables of a typeface costs more than a document. */
export function documentFonts(): Readonly<Record<FontName, Font>> {
  const { resolve } = createRequire(import.meta.url)
  opened ??= {
    regular: withMemory(openSync(resolve(files.regular)) as Font),
    bold: withMemory(openSync(resolve(files.bold)) as Font),
    italic: withMemory(openSync(resolve(files.italic)) as Font),
  }
  return opened
}

/** Whether every character of a text has a glyph; line breaks aside. */
export function canDraw(text: string): boolean {
  const { regular } = documentFonts()
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point !== 10 && !regular.hasGlyphForCodePoint(point)) return false
  }
  return true
}

/** Caches how words are set, because documents repeat them. Callers scale the positions, so each gets a copy. */
function withMemory(font: Font): Font {
  const words = new LRUCache<string, ReturnType<Font['layout']>>({ max: 5_000 })
  const layout: Font['layout'] = (text, ...rest) => {
    if (typeof text !== 'string' || rest.some((each) => each !== undefined)) return font.layout(text, ...rest)
    const run = words.get(text) ?? font.layout(text)
    words.set(text, run)
    const copy = Object.assign(Object.create(Object.getPrototypeOf(run)), run)
    copy.positions = run.positions.map((position) => ({ ...position }))
    return copy
  }
  return Object.create(font, { layout: { value: layout } })
}
