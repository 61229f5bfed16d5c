import { useFoundDocs } from '../../guides/use-found-docs.ts'
import Palette, { type PaletteProps } from '../ui/palette.tsx'

/** The palette with the documentation in it; one chunk, fetched when it is first asked for. */
export default function DocsPalette(props: Omit<PaletteProps, 'useFound'>) {
  return <Palette {...props} useFound={useFoundDocs} />
}
