/** The typefaces that documents embed: Source Sans 3, whole, so that names keep their diacritics. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

const family = '@expo-google-fonts/source-sans-3'
const files = {
  regular: `${family}/400Regular/SourceSans3_400Regular.ttf`,
  bold: `${family}/600SemiBold/SourceSans3_600SemiBold.ttf`,
  italic: `${family}/400Regular_Italic/SourceSans3_400Regular_Italic.ttf`,
} as const
export type FontName = keyof typeof files

let loaded: Readonly<Record<FontName, Buffer>> | null = null

/** Read when the first document is made. */
export function documentFonts(): Readonly<Record<FontName, Buffer>> {
  const { resolve } = createRequire(import.meta.url)
  loaded ??= {
    regular: readFileSync(resolve(files.regular)),
    bold: readFileSync(resolve(files.bold)),
    italic: readFileSync(resolve(files.italic)),
  }
  return loaded
}

let parsed: Font | null = null

/** Whether every character of a text has a glyph; line breaks aside. */
export function canDraw(text: string): boolean {
  parsed ??= create(documentFonts().regular) as Font
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point !== 10 && !parsed.hasGlyphForCodePoint(point)) return false
  }
  return true
}
