import type { AppLoadContext } from '@remix-run/server-runtime'
import type { Addresses } from './addresses.ts'

export function addressesOf({ services: { env } }: AppLoadContext): Addresses {
  return { portal: env.PUBLIC_ORIGIN, rest: env.REST_ORIGIN, fhir: env.FHIR_ORIGIN }
}
