import Palette, { type PaletteProps } from '../../components/ui/palette.tsx'
import { useFoundDocs } from '../guides/use-found-docs.ts'

/** The palette with the documentation in it; one chunk, fetched when it is first asked for. */
export default function DocsPalette(props: Omit<PaletteProps, 'useFound'>) {
  return <Palette {...props} useFound={useFoundDocs} />
}
