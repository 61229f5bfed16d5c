/** Starts Scalar in our colors and without anything that would leave this origin. */
import { mendScalarMarkup } from './scalar-markup.ts'

interface Scalar {
  createApiReference(place: Element, configuration: Record<string, unknown>): { destroy?: () => void }
}

interface ReferenceOptions {
  /** Address of its script. */
  script: string
  /** Address of the OpenAPI document. */
  document: string
}

/** Whether the page is dark now: by the visitor's choice, else by the system. */
function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
}

/** Scalar reads the theme once. Its classes follow the switch of the page, and the system. @returns ends it */
function followTheme(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => {
    document.body.classList.toggle('dark-mode', isDark())
    document.body.classList.toggle('light-mode', !isDark())
  }
  const choice = new MutationObserver(follow)
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  system.addEventListener('change', follow)
  return () => {
    choice.disconnect()
    system.removeEventListener('change', follow)
    document.body.classList.remove('dark-mode', 'light-mode')
  }
}

/** @returns ends it */
export function startReference(place: Element, options: ReferenceOptions): () => void {
  let running: { destroy?: () => void } | null = null
  let ended = false
  const start = () => {
    const { Scalar } = window as unknown as { Scalar?: Scalar }
    if (!ended && Scalar) running = Scalar.createApiReference(place, configurationOf(options))
  }
  const restore = refuseCodeFromText()
  const stopMending = mendScalarMarkup(place)
  const stopFollowing = followTheme()
  const script = document.createElement('script')
  script.src = options.script
  script.addEventListener('load', start, { once: true })
  document.head.append(script)
  return () => {
    ended = true
    running?.destroy?.()
    stopFollowing()
    restore()
    stopMending()
    script.remove()
  }
}

/**
 * The page's policy forbids code made of text. A library inside tries once whether it may, and the browser would report
 * that as a violation: here it hears no before the policy is asked.
 */
function refuseCodeFromText(): () => void {
  const own = globalThis.Function
  const refuse = () => {
    throw new EvalError('this page makes no code from text')
  }
  globalThis.Function = new Proxy(own, { construct: refuse, apply: refuse })
  return () => {
    globalThis.Function = own
  }
}

function configurationOf({ document: url }: ReferenceOptions): Record<string, unknown> {
  return {
    url,
    theme: 'none',
    customCss: ourTokens,
    forceDarkModeState: isDark() ? 'dark' : 'light',
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'none',
    persistAuth: false,
    hideSearch: true,
  }
}

const colors = `
  --scalar-background-1: var(--ground);
  --scalar-background-2: var(--surface);
  --scalar-background-3: var(--sunk);
  --scalar-background-accent: var(--accent-soft);
  --scalar-color-1: var(--ink);
  --scalar-color-2: var(--ink-muted);
  --scalar-color-3: var(--ink-muted);
  --scalar-color-accent: var(--accent);
  --scalar-border-color: var(--line);
  --scalar-button-1: var(--accent-solid);
  --scalar-button-1-color: var(--on-accent);
  --scalar-button-1-hover: var(--accent-hover);
  --scalar-color-green: var(--ok);
  --scalar-color-red: var(--danger);
  --scalar-color-yellow: var(--turn);
  --scalar-color-blue: var(--accent);
  --scalar-color-orange: var(--turn);
  --scalar-color-purple: var(--accent);
  --scalar-sidebar-background-1: var(--ground);
  --scalar-sidebar-color-1: var(--ink);
  --scalar-sidebar-color-2: var(--ink-muted);
  --scalar-sidebar-border-color: var(--line);
  --scalar-sidebar-item-hover-background: var(--hover);
  --scalar-sidebar-item-active-background: var(--accent-soft);
  --scalar-sidebar-color-active: var(--accent);`

const ourTokens = `
.light-mode, .dark-mode {${colors}
}
.scalar-app {
  --scalar-font: var(--sans);
  --scalar-font-code: var(--mono);
  --scalar-radius: var(--r1);
  --scalar-radius-lg: var(--r2);
  --scalar-radius-xl: var(--r3);
}
/* Some of its buttons would show no focus. Written twice, so that it weighs more than their own rules. */
.scalar-app :focus-visible:focus-visible:not(.cm-content) {
  outline: 2px solid var(--focus);
  outline-offset: -2px;
}`
