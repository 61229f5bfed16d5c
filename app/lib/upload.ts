/** Sends a form with its files so that the page can show how far it is, and cancel it. */
import type { ClientActionFunctionArgs } from '@remix-run/react'
import { useSyncExternalStore } from 'react'
import { cancelled, keepWhenLost, lost } from './lost-connection.ts'

/** Where the page goes on, or what its form is answered with. */
export type UploadAnswer = { to: string } | { answer: unknown }

export interface Upload {
  sentBytes: number
  bytes: number
  cancel: () => void
}

let current: Upload | null = null
const listeners = new Set<() => void>()

function show(upload: Upload | null): void {
  current = upload
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is being sent now; null: nothing. A page sends one form at a time. */
export const useUpload = () =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  )

/** For a page's `clientAction`; the page's own address followed by `/file` takes a form with files. */
export async function sendWithFiles({
  request,
  serverAction,
}: Pick<ClientActionFunctionArgs, 'request' | 'serverAction'>): Promise<unknown> {
  const fields = await request.clone().formData()
  if (sizeOf(fields) === 0) return keepWhenLost(serverAction)
  const { status, text } = await send(`${new URL(request.url).pathname}/file`, fields, request.signal)
  if (status === 0) return Response.json(text === 'cancelled' ? cancelled : lost, { status: 503 })
  const answer = parse(text)
  if (answer === null) throw new Response(null, { status })
  if ('to' in answer) return new Response(null, { status: 302, headers: { location: answer.to } })
  return Response.json(answer.answer, { status })
}

interface Sent {
  /** 0: no answer came. */
  status: number
  text: string
}

function send(address: string, fields: FormData, signal: AbortSignal): Promise<Sent> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const end = (sent: Sent) => {
      show(null)
      resolve(sent)
    }
    const cancel = () => request.abort()
    request.open('POST', address)
    request.upload.onprogress = ({ loaded, total }) => show({ sentBytes: loaded, bytes: total, cancel })
    request.onload = () => end({ status: request.status, text: request.responseText })
    request.onerror = () => end({ status: 0, text: '' })
    request.onabort = () => end({ status: 0, text: 'cancelled' })
    signal.addEventListener('abort', cancel)
    show({ sentBytes: 0, bytes: sizeOf(fields), cancel })
    request.send(fields)
  })
}

/** Of the files; the rest of the form is small. */
const sizeOf = (fields: FormData) =>
  [...fields.values()].reduce((sum, value) => sum + (value instanceof File ? value.size : 0), 0)

function parse(text: string): UploadAnswer | null {
  try {
    return JSON.parse(text) as UploadAnswer
  } catch {
    return null
  }
}
