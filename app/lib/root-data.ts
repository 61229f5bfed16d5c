import { useRouteLoaderData } from '@remix-run/react'
import type { Done } from './flash.ts'
import type { Theme } from './theme.ts'
import { officeZone } from './zone.ts'

/** The data of every page. */
export interface RootData {
  theme: Theme
  zone: string
  /** The programming language of code samples; null until the visitor chooses one. */
  language: string | null
  /** The zone of business days and due dates. */
  officeZone: string
  correlationId: string
  now: Date
  done: Done | null
  account: { name: string; email: string } | null
  /** The first page of the signed-in person, in any realm. */
  home: string | null
  /** To-dos in the inbox of the page's realm; null outside a console. */
  inbox: number | null
  /** Whether the pages show a demonstration's sample history. */
  hasSampleHistory: boolean
}

const defaults: RootData = {
  theme: 'system',
  zone: officeZone,
  language: null,
  officeZone,
  correlationId: '',
  now: new Date(0),
  done: null,
  account: null,
  home: null,
  inbox: null,
  hasSampleHistory: false,
}

/** The root loader's data; a page that failed before it ran knows only the defaults. */
export function useRoot(): RootData {
  return (useRouteLoaderData('root') as RootData | undefined) ?? defaults
}
