/** The authorization server over HTTP: an app that asks, a person who decides, tokens that come back. */

import { expect } from 'vitest'
import { createApp } from '../../server/app.ts'
import { jsonOf } from '../../server/contract/http/answer-head.ts'
import type { Scope } from '../../server/contract/smart/scopes.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { RegisteredClient } from '../../server/domain/clients/registrations.ts'
import { type TestServices, type TestServicesOptions, testServices } from './services.ts'
import { challenge, demonstration, redirectUri, smartSupport, verifier } from './smart.ts'

export type SmartAnswer = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  body: any
}

/** Says no to a person, on a page that leads nowhere. */
export function expectPage(answer: SmartAnswer, status = 400) {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBeNull()
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(answer.text).not.toMatch(/<a |<form|<script|http-equiv|at file:|node_modules/)
}

type FormValues = Record<string, string | undefined>

type AuthorizeOptions = {
  client: RegisteredClient
  scope: string
  practice?: string
  /** Over or in place of the parameters of a proper request; undefined leaves one out. */
  change?: FormValues
  method?: 'GET' | 'POST'
  cookie?: string
}

export async function smartStack(options: TestServicesOptions & { services?: TestServices } = {}) {
  const services = options.services ?? (await testServices(options))
  const app = createApp(services)
  const support = smartSupport(services)
  const { addresses } = services

  async function send(url: string, init: RequestInit & { ip?: string } = {}): Promise<SmartAnswer> {
    const { ip = '192.0.2.1', ...rest } = init
    const request = new Request(url, rest)
    const answer = await app.fetch(request, { incoming: { socket: { remoteAddress: ip } } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: jsonOf(text) }
  }

  const at = (path: string, practice = demonstration) => `${addresses.fhirBase(practice)}/${path}`

  function post(
    path: 'token' | 'introspect' | 'revoke',
    form: FormValues,
    { practice, headers, ip }: { practice?: string; headers?: Record<string, string>; ip?: string } = {},
  ): Promise<SmartAnswer> {
    return send(at(path, practice), {
      method: 'POST',
      body: encode(form),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      ...(ip && { ip }),
    })
  }

  function authorizeParameters({ client, scope, practice, change = {} }: AuthorizeOptions): FormValues {
    return {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope,
      state: 'a state, with spaces & signs',
      aud: addresses.fhirBase(practice ?? demonstration),
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...change,
    }
  }

  function authorize(options: AuthorizeOptions): Promise<SmartAnswer> {
    const url = addresses.authorize(options.practice ?? demonstration)
    const text = encode(authorizeParameters(options))
    return options.method === 'POST'
      ? send(url, {
          method: 'POST',
          body: text,
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://app.example' },
        })
      : send(`${url}?${text}`, { headers: options.cookie ? { cookie: options.cookie } : {} })
  }

  /** Where the page of a refusal links to: the app's address with the error. Null without a link. */
  function linkBackOf({ text }: SmartAnswer): URL | null {
    const href = /<a href="([^"]+)" rel="noreferrer">/.exec(text)?.[1]
    return href === undefined ? null : new URL(href.replaceAll('&amp;', '&'))
  }

  /** Which request an answer has opened, in the browser that got it. */
  function handleOf(answer: SmartAnswer) {
    const id = /\/authorize\/([\w-]{43,})$/.exec(answer.headers.get('location') ?? '')?.[1]
    if (!id) throw new Error(`no request was opened: ${answer.status} ${answer.headers.get('location')}`)
    return { id, cookieHeader: answer.headers.get('set-cookie')?.split(';')[0] ?? null }
  }

  /** The person agrees to everything that is offered, or to what is given. */
  async function decide(
    answer: SmartAnswer,
    actor: Actor,
    decision: { patientId?: string | null; scopes?: readonly Scope[]; offlineAccess?: boolean } = {},
  ): Promise<URL> {
    const handle = handleOf(answer)
    const { scopes } = await services.authorizations.get(handle)
    const { redirectTo } = await services.authorizations.approve(handle, actor, {
      patientId: null,
      scopes,
      offlineAccess: true,
      ...decision,
    })
    return new URL(redirectTo)
  }

  /** A code of a person who has agreed. */
  async function obtainCode(
    options: AuthorizeOptions & { actor: Actor; patientId?: string | null },
  ): Promise<string> {
    const back = await decide(await authorize(options), options.actor, {
      patientId: options.patientId ?? null,
    })
    return back.searchParams.get('code') ?? ''
  }

  function exchange(
    code: string,
    client: RegisteredClient,
    {
      change = {},
      ...options
    }: { change?: FormValues; practice?: string; headers?: Record<string, string> } = {},
  ): Promise<SmartAnswer> {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: client.clientId,
      ...change,
    }
    return post('token', form, options)
  }

  return {
    services,
    app,
    ...support,
    send,
    at,
    post,
    authorize,
    handleOf,
    linkBackOf,
    decide,
    obtainCode,
    exchange,
  }
}

export type SmartStack = Awaited<ReturnType<typeof smartStack>>

/** https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
export function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`
}

function encode(form: FormValues): string {
  const present = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(present).toString()
}
