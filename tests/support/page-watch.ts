/** Watches every page of a browser for what nobody would see: refusals of the policy, errors, strangers. */
import type { BrowserContext, ConsoleMessage } from '@playwright/test'

export type PageWatch = {
  add: (context: BrowserContext) => Promise<void>
  /** A journey that provokes a refusal says so; the console names the status of each. */
  allow: (pattern: RegExp) => void
  /** What went wrong so far and was not allowed. */
  problems: () => string[]
}

/**
 * A click while the answer before it still comes in ends its reading, and Remix writes that down as an error: the
 * answer of an action is shown before the loaders have run again. Nothing is lost to whoever clicks.
 */
const interrupted = /^error: AbortError: signal is aborted without reason/

/** The server alone checks forms: one with a fault is shown again with the status of its answer. */
const refusedForm = /status of 400 \(Bad Request\) \([^ ]*\.data\)$/

/** @param origin the only one that pages may ask */
export function createPageWatch(origin: string): PageWatch {
  const seen: string[] = []
  const allowed: RegExp[] = [interrupted, refusedForm]

  async function add(context: BrowserContext): Promise<void> {
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') seen.push(toLine(message))
    })
    context.on('weberror', (error) => seen.push(`uncaught: ${error.error().message}`))
    context.on('request', (request) => {
      const { protocol, origin: asked } = new URL(request.url())
      if (protocol.startsWith('http') && asked !== origin) seen.push(`asked another origin: ${asked}`)
    })
    context.on('response', (response) => {
      if (response.status() >= 500) seen.push(`${response.status()} from ${pathOf(response.url())}`)
    })
    // Chromium writes violations to the console too; the event names the directive.
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`content security policy: ${event.effectiveDirective} refused ${event.blockedURI}`)
      })
    })
  }

  return {
    add,
    allow: (pattern) => void allowed.push(pattern),
    problems: () => seen.filter((each) => !allowed.some((pattern) => pattern.test(each))),
  }
}

function toLine(message: ConsoleMessage): string {
  return `${message.type()}: ${message.text()} (${pathOf(message.location().url)})`
}

/** Without the query: it may hold a single-use token. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}
