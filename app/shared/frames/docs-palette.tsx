import { identifierText, readIdentifier } from '../../../server/contract/portal/identifiers.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { FoundEntry } from '../../components/ui/found-text.tsx'
import Palette, { type PaletteProps } from '../../components/ui/palette.tsx'
import { foundEntry } from '../search/found-entry.tsx'
import { useFound } from '../search/use-found.ts'

interface DocsPaletteProps extends Omit<PaletteProps, 'useFound'> {
  /** Keys, apps and requests are found for members of organizations only. */
  signedIn: boolean
}

/** The palette with all that can be searched in it; one chunk, fetched when it is first asked for. */
export default function DocsPalette({ signedIn, ...props }: DocsPaletteProps) {
  return <Palette {...props} useFound={signedIn ? useFoundByMembers : useFoundEntries} />
}

const useFoundEntries = (question: string): readonly FoundEntry[] => useFound(question).map(foundEntry)

function useFoundByMembers(question: string): readonly FoundEntry[] {
  const found = useFoundEntries(question)
  const identifier = readIdentifier(question)
  if (identifier === null) return found
  const text = identifierText(identifier)
  const { kind, label } = identifierWords[identifier.kind]
  const to = paths.find(text)
  return [{ to, key: to, label: `${label} ${text}`, kind, section: '', excerpt: null }, ...found]
}

const identifierWords = {
  key: { kind: 'Key', label: 'Open the key' },
  app: { kind: 'App', label: 'Open the app' },
  call: { kind: 'Request', label: 'Open the request' },
} as const
