import { Command } from 'cmdk'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState } from 'react'
import { type FoundEntry, FoundText } from './found-text.tsx'
import { ArrowRight, BookOpen, Search } from './icons.ts'
import { useReturnFocus } from './return-focus.ts'

export interface Entry {
  to: string
  label: string
  /** The page's place, shown at the right end and searched too. */
  where: string
  /** Not a page of the portal: the browser loads it. */
  document?: boolean
}

export interface PaletteProps {
  groups: readonly { heading: string; entries: readonly Entry[] }[]
  /** Goes to a page of the portal. */
  navigate: (to: string) => void
  onClose: () => void
  /** Finds more results for the typed words, besides the entries. */
  useFound?: (question: string) => readonly FoundEntry[]
}

const nothing = () => []

/** The search dialog: its groups of pages, then what is found for the question. */
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
          // After navigation, the new page sets the focus.
          onCloseAutoFocus={(event) => !leaves.current && returnFocus(event)}
        >
          <Radix.Title className="sr">Search or jump to</Radix.Title>
          <Command label="Search or jump to" loop>
            <div className="ask">
              <Search className="i" />
              {/* Uncontrolled: otherwise cmdk selects the entry a moment later, and Enter opens the one before. */}
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
                    // The question is a keyword, so that cmdk doesn't filter out results with other words.
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
