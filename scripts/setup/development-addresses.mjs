import crypto from 'node:crypto'

/** Of one start: the server opens the pages for development to the browser that brings it, and stores it nowhere. */
export function newDevelopmentKey() {
  return crypto.randomBytes(24).toString('base64url')
}

/** @param {number} port */
export function originOf(port) {
  return process.env.PUBLIC_ORIGIN || `http://localhost:${port}`
}

/**
 * Links that open the pages for development in a browser of this machine; null for a page that the server does not
 * have (server/env.ts).
 * @param {{ origin: string, key: string, embedded: boolean, environment?: Record<string, string | undefined> }} server
 */
export function developmentAddresses({ origin, key, embedded, environment = process.env }) {
  const isLocal = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(new URL(origin).hostname)
  const exist = embedded && isLocal && !environment.TRUSTED_PROXY_CIDRS
  return {
    mailbox: exist && !environment.SMTP_URL ? `${origin}/dev/mail?key=${key}` : null,
    tour: exist ? `${origin}/tour?key=${key}` : null,
  }
}
