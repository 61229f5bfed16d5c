/** The palette on a page that React does not hydrate. React renders only the palette. */
import { createRoot, type Root } from 'react-dom/client'
import { allowScrollLock } from '../../lib/scroll-lock.ts'
import DocsPalette from './docs-palette.tsx'
import { groupsOf, publicPages } from './palette-groups.ts'

let root: Root | null = null

export function togglePalette(): void {
  if (root) close()
  else open()
}

function open(): void {
  allowScrollLock()
  const signedIn = document.querySelector('button.search[data-signed-in]') !== null
  const element = document.body.appendChild(document.createElement('div'))
  root = createRoot(element)
  root.render(
    <DocsPalette
      groups={groupsOf({ items: publicPages, organizations: [], signedIn })}
      signedIn={signedIn}
      navigate={(to) => location.assign(to)}
      onClose={close}
    />,
  )
}

function close(): void {
  const closing = root
  root = null
  closing?.unmount()
}
