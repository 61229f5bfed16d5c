declare global {
  var __webpack_nonce__: string | undefined
}

/** A dialog's scroll lock adds a style element, and looks for the page's nonce under this name. Browser only. */
export function allowScrollLock(): void {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
}
