/**
 * Adds names and roles that assistive technology needs and that our version of Scalar leaves out:
 * https://github.com/scalar/scalar/issues/9725
 */

type Mend = (element: Element) => void

const named =
  (name: string): Mend =>
  (element) =>
    setAttribute(element, 'aria-label', name)

const hasRole =
  (role: string): Mend =>
  (element) =>
    setAttribute(element, 'role', role)

const mends: Readonly<Record<string, Mend>> = {
  // Links of the sidebar: selection is for tabs and options.
  'button[aria-selected]:not([role])': (element) => {
    if (element.getAttribute('aria-selected') === 'true') setAttribute(element, 'aria-current', 'true')
    else element.removeAttribute('aria-current')
    element.removeAttribute('aria-selected')
  },
  'aside[role=navigation]': hasRole('region'),
  'header:not([role])': hasRole('group'),
  // The bar of narrow screens.
  '.t-doc__header:not([role])': (element) => {
    hasRole('region')(element)
    named('Contents')(element)
  },
  // Its links have no addresses: who scrolls it by keyboard needs a place to do it.
  'ul.endpoints:not([tabindex])': (element) => setAttribute(element, 'tabindex', '0'),
  // It opens a menu among tabs, and has no words.
  '[role=tablist] button:not([role=tab])': (element) => {
    hasRole('tab')(element)
    setAttribute(element, 'aria-selected', 'false')
    named('More client libraries')(element)
  },
  'button.code-copy:not([aria-label])': named('Copy code'),
  'button[class*="copy-button"]:not([aria-label])': named('Copy'),
  // Its name begins with the words it shows.
  'button.show-more[aria-label]': (element) => {
    const [words, name] = [element.textContent?.trim() ?? '', element.getAttribute('aria-label') ?? '']
    if (!name.startsWith(words)) named(`${words}: ${name}`)(element)
  },
  '.overflow-x-auto:not([tabindex])': (element) => {
    if (element.querySelector('a, button, input, select, [tabindex]') !== null) return
    setAttribute(element, 'tabindex', '0')
  },
}

/** @returns stops it */
export function mendScalarMarkup(place: Element): () => void {
  const mend = () => {
    for (const [selector, change] of Object.entries(mends))
      for (const element of place.querySelectorAll(selector)) change(element)
  }
  const observer = new MutationObserver(mend)
  observer.observe(place, {
    subtree: true,
    childList: true,
    attributeFilter: ['aria-selected', 'aria-label', 'role'],
  })
  mend()
  return () => observer.disconnect()
}

/** Writes nothing that is there already: each change calls the observer again. */
function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
