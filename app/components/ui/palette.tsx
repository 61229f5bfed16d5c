import { Command } from 'cmdk'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState } from 'react'
import { type FoundEntry, FoundText } from './found-text.tsx'
import { ArrowRight, BookOpen, Search } from './icons.ts'
import { useReturnFocus } from './return-focus.ts'

export interface Entry {
  to: string
  label: string
  /** Said at the right end, and searched too. */
  where: string
  /** Not a page of the portal: the browser loads it. */
  document?: boolean
}

export interface PaletteProps {
  groups: readonly { heading: string; entries: readonly Entry[] }[]
  /** Goes to a page of the portal. */
  navigate: (to: string) => void
  onClose: () => void
  /** What is found for the words typed, beside the entries. */
  useFound?: (question: string) => readonly FoundEntry[]
}

const nothing = () => []

/** Things to do, then things to read. */
export default function Palette({ groups, navigate, onClose, useFound = nothing }: PaletteProps) {
  const [question, setQuestion] = useState('')
  const found = useFound(question)
  const returnFocus = useReturnFocus()
  const leaves = useRef(false)
  const go = (entry: Pick<Entry, 'to' | 'document'>) => {
    leaves.current = true
    onClose()
    if (entry.document) window.location.assign(entry.to)
    else navigate(entry.to)
  }
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dialog palette"
          aria-describedby={undefined}
          // Another page has a place of its own for the focus.
          onCloseAutoFocus={(event) => !leaves.current && returnFocus(event)}
        >
          <Radix.Title className="sr">Search or jump to</Radix.Title>
          <Command label="Search or jump to" loop>
            <div className="ask">
              <Search className="i" />
              {/* Not held by us: cmdk would choose a moment later, and Enter would open what stood there before. */}
              <Command.Input autoFocus onValueChange={setQuestion} />
              <kbd>Esc</kbd>
            </div>
            <Command.List label="Results">
              <Command.Empty>No results. Try a page, a code or a parameter.</Command.Empty>
              {groups
                .filter((group) => group.entries.length > 0)
                .map((group) => (
                  <Command.Group key={group.heading} heading={group.heading}>
                    {group.entries.map((entry) => (
                      <Command.Item
                        key={entry.to + entry.label}
                        value={`${entry.label} ${entry.where}`}
                        onSelect={() => go(entry)}
                      >
                        <ArrowRight className="i" />
                        {entry.label}
                        <span className="muted small">{entry.where}</span>
                      </Command.Item>
                    ))}
                  </Command.Group>
                ))}
              {found.length > 0 && (
                <Command.Group heading="Found">
                  {found.map((entry) => (
                    // What was found stands whatever its own words are.
                    <Command.Item
                      key={entry.key}
                      value={entry.key}
                      keywords={[question]}
                      onSelect={() => go(entry)}
                    >
                      <BookOpen className="i" />
                      <FoundText {...entry} />
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
