import { useEffect, useState } from 'react'
import { type ReviewKey, reviewKeys } from '../../../server/contract/workflows/review-queue.ts'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Keyboard } from '../../components/ui/icons.ts'
import { Button } from '../../components/ui/page-parts.tsx'

const storageKey = 'sandpiper-review-keys'

/** Keys that move the focus through the desk; `?` lists them; the list turns them off. */
export function Shortcuts() {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = keyOf(event)
      if (key === null || !areOn()) return
      event.preventDefault()
      if (key === '?') setShown(true)
      else if (key === 'j' || key === 'k') focusEntry(key === 'j' ? 1 : -1)
      else focusStep(key)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    // Its row is there from the start: what a person is about to press would move when the script begins.
    <div className="wide-only needs-script">
      <Button size="sm" look="plain" onClick={() => setShown(true)}>
        <Keyboard className="i" /> Keyboard shortcuts
      </Button>
      {shown && <KeyList onLeave={() => setShown(false)} />}
    </div>
  )
}

function KeyList({ onLeave }: { onLeave: () => void }) {
  const [on, setOn] = useState(areOn)
  return (
    <Dialog
      title="Keyboard shortcuts"
      description="Shortcuts only move the focus. Nothing is sent until you press a button."
      onLeave={onLeave}
      footer={<Button onClick={onLeave}>Close</Button>}
    >
      <dl className="facts">
        {(Object.keys(reviewKeys) as ReviewKey[]).map((key) => (
          <div key={key} className="contents">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{reviewKeys[key]}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={on}
          onChange={({ target }) => {
            turn(target.checked)
            setOn(target.checked)
          }}
        />
        <span>Use single-key shortcuts in this browser</span>
      </label>
    </Dialog>
  )
}

/** Where a letter is a letter, or chooses. */
const typing =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="dialog"]'

/** The shortcut that a key press means; null where a person types, or a dialog is open. */
function keyOf(event: KeyboardEvent): ReviewKey | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null
  const at = event.target instanceof Element ? event.target : null
  if (at?.closest(typing)) return null
  if (document.querySelector('[role="dialog"]')) return null
  return Object.hasOwn(reviewKeys, event.key) ? (event.key as ReviewKey) : null
}

function areOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true // a browser that keeps nothing
  }
}

function turn(on: boolean): void {
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off')
  } catch {
    // A browser that keeps nothing: the choice ends with the page.
  }
}

function focusEntry(step: 1 | -1): void {
  const entries = [...document.querySelectorAll<HTMLElement>('[data-queue-entry]')]
  const focused = entries.indexOf(document.activeElement as HTMLElement)
  const here = focused === -1 ? entries.findIndex((entry) => entry.hasAttribute('aria-current')) : focused
  const next = here === -1 && step === -1 ? entries.length - 1 : here + step
  entries[next]?.focus()
}

/** Opens the step of a key, and puts the focus on its first field or its button. */
function focusStep(key: ReviewKey): void {
  const step = document.querySelector<HTMLElement>(`[data-step-keys~="${key}"]`)
  if (!step) return
  if (step instanceof HTMLDetailsElement) step.open = true
  const targets = step.querySelectorAll<HTMLElement>(
    'form :is(input:not([type="hidden"]), textarea, button, a[href])',
  )
  const first = [...targets].find((target) => target.checkVisibility())
  first?.focus()
}
