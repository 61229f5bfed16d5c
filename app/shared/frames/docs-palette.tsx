import type { FoundEntry } from '../../components/ui/found-text.tsx'
import Palette, { type PaletteProps } from '../../components/ui/palette.tsx'
import { foundEntry } from '../search/found-entry.tsx'
import { useFound } from '../search/use-found.ts'

/** The palette with all that can be searched in it; one chunk, fetched when it is first asked for. */
export default function DocsPalette(props: Omit<PaletteProps, 'useFound'>) {
  return <Palette {...props} useFound={useFoundEntries} />
}

const useFoundEntries = (question: string): readonly FoundEntry[] => useFound(question).map(foundEntry)
