/**
 * The script of pages that React does not hydrate (`handle.still`). They work without it. It does what React does for
 * the same components on other pages. The palette, and React with it, is loaded when it is first opened.
 */
import { closeMenuOn } from './lib/close-menu.ts'
import { copiedWords, copyFrom } from './lib/copy-from.ts'
import { keepLanguage, languageOf } from './lib/remembered-language.ts'
import { onScroll, sectionInView } from './lib/section-in-view.ts'
import { rememberZone } from './lib/zone.ts'

/** A tick, in the same 24 units as the button's icon. */
const tick = '<path d="M20 6 9 17l-5-5"/>'
const confirmedMs = 2_000
const toastMs = 6_000

// The status page has no accounts and sets no cookie.
if (!/^\/status(?:\/|$)/.test(location.pathname)) rememberZone()
showLanguage(languageOf(document.cookie))
markSections()
for (const form of all<HTMLFormElement>('form.theme'))
  form.addEventListener('submit', (event) => switchTheme(event, form))
setTimeout(() => document.querySelector('.toasts')?.remove(), toastMs)

document.addEventListener('click', (event) => {
  closeMenus(event)
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button?.matches('.copy')) void copy(button)
  if (button?.matches('.search')) void openPalette()
})
document.addEventListener('keydown', (event) => {
  closeMenus(event)
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  void openPalette()
})
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.dataset.choice) return
  keepLanguage(target.dataset.choice)
  showLanguage(target.dataset.choice)
})
// A page from the browser's back-forward cache may be older than the choice.
window.addEventListener('pageshow', () => showLanguage(languageOf(document.cookie)))

function all<Kind extends Element>(selector: string): Iterable<Kind> {
  return document.querySelectorAll<Kind>(selector)
}

function closeMenus(event: Event): void {
  for (const menu of all<HTMLDetailsElement>('details.drop[open]')) closeMenuOn(event, menu)
}

function showLanguage(language: string | null): void {
  for (const input of all<HTMLInputElement>('.switches input[data-choice]'))
    if (input.dataset.choice === language) input.checked = true
}

/** Changes the page at once, and then the cookie. */
function switchTheme(event: SubmitEvent, form: HTMLFormElement): void {
  event.preventDefault()
  const theme = event.submitter?.getAttribute('value') ?? ''
  document.documentElement.dataset.theme = theme
  const body = new URLSearchParams({ theme, back: location.pathname })
  // Without a connection the theme lasts for this page.
  fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => {})
}

async function copy(button: HTMLElement): Promise<void> {
  const said = await copyFrom(button)
  const words = button.querySelector('[role=status]')
  const icon = button.querySelector('svg')
  const drawing = icon?.innerHTML
  if (words) words.textContent = copiedWords[said]
  if (icon && said === 'copied') icon.innerHTML = tick
  setTimeout(() => {
    if (words) words.textContent = ''
    // After another press in the meantime, the tick of that press stays.
    if (icon && drawing && drawing !== tick) icon.innerHTML = drawing
  }, confirmedMs)
}

function markSections(): void {
  const links = [...all<HTMLAnchorElement>('.docs-here a, .docs-sections a')]
  const anchors = [...all<HTMLAnchorElement>('.docs-here a')].map(({ hash }) =>
    decodeURIComponent(hash.slice(1)),
  )
  if (anchors.length === 0) return
  onScroll(() => {
    const current = sectionInView(anchors)
    for (const link of links)
      if (link.hash === `#${current}`) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
  })
}

async function openPalette(): Promise<void> {
  const { togglePalette } = await import('./shared/frames/still-palette.tsx')
  togglePalette()
}
