import { useRouteLoaderData } from '@remix-run/react'
import type { Done } from './flash.ts'
import type { Theme } from './theme.ts'
import { officeZone } from './zone.ts'

/** What every page knows. */
export interface RootData {
  theme: Theme
  zone: string
  /** Of code; null until the visitor chooses one. */
  language: string | null
  /** In which business days and due dates are counted. */
  officeZone: string
  correlationId: string
  now: Date
  done: Done | null
  account: { name: string; email: string } | null
  /** Address of the first page of the person who is signed in, in whichever realm. */
  home: string | null
  /** To-dos in the inbox of the realm of this page; null where no console is. */
  inbox: number | null
  /** Whether the pages show a demonstration's sample history. */
  hasSampleHistory: boolean
}

const nothingKnown: RootData = {
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
  return (useRouteLoaderData('root') as RootData | undefined) ?? nothingKnown
}
