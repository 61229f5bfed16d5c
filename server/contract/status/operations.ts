/**
 * The Status API's operations: rows like those of the REST API, with an interface of their own, on the production base
 * alone. That base's OpenAPI document lists them.
 */
import { z } from 'zod'
import { limits, windowTable } from '../http/limits.ts'
import type { OperationRow } from '../rest/operations.ts'
import {
  type PlatformStatusObject,
  type PracticeStatusObject,
  platformStatusSchema,
  practiceStatusSchema,
} from './records.ts'

const [burst, sustained] = windowTable.statusIp.windows
const budget = `Needs no key. Each client address may send ${burst.requests} requests a second and ${sustained.requests} a minute, over both routes of the Status API together. Poll every 30 seconds at most.`

const idError = `id must have 1 to ${limits.practiceIdMax} characters`
const fits = (id: string) => id !== '' && [...id].length <= limits.practiceIdMax

export const statusOperations = {
  getPlatformStatus: {
    method: 'GET',
    path: '/system/status',
    summary: 'Whether the platform is up',
    description: `Every component of the platform with its state. ${budget}`,
    tags: ['Status'],
    level: 'none',
    query: z.strictObject({}),
    response: platformStatusSchema,
    answers: 'The platform and its components.',
    example: {
      checkedAt: '2026-11-20T17:00:00.000Z',
      overall: 'degraded',
      overallSummary: 'MCP server: under maintenance. All other checked components are operational.',
      services: [
        {
          id: 'api',
          name: 'REST API',
          href: 'https://portal.example/api/v1',
          status: 'operational',
          summary: 'Searches work and records can be saved.',
        },
        {
          id: 'mcp',
          name: 'MCP server',
          href: 'https://portal.example/api/v1/mcp',
          status: 'under_maintenance',
          summary: 'A search index is being rebuilt. Back by 18:00 UTC.',
          overridden: true,
          automaticStatus: 'degraded',
        },
      ],
    } satisfies PlatformStatusObject,
    errors: ['validation', 'rate_limited'],
    phi: false,
    access: { action: 'status', resourceType: null },
  },

  getPracticeStatus: {
    method: 'GET',
    path: '/system/practice-status',
    summary: 'Whether one practice is up',
    description: `One practice, looked up by its login slug: its name and state, nothing else. For an unknown ID, \`found\` is false, because a typo is not an outage. ${budget}`,
    tags: ['Status'],
    level: 'none',
    query: z.strictObject({
      id: z
        .string({ error: idError })
        .refine(fits, { error: idError })
        .meta({
          description: `Login slug of the practice, 1 to ${limits.practiceIdMax} characters.`,
          minLength: 1,
          maxLength: limits.practiceIdMax,
          examples: ['harbor-family'],
        }),
    }),
    response: practiceStatusSchema,
    answers: 'The practice, or that no practice has this ID.',
    example: {
      checkedAt: '2026-11-20T17:00:00.000Z',
      queried: 'harbor-family',
      found: true,
      practiceId: 'harbor-family',
      name: 'Harborlight Family Medicine',
      status: 'operational',
      summary: 'Sign-in works and records can be saved.',
    } satisfies PracticeStatusObject,
    errors: ['validation', 'rate_limited', 'unavailable'],
    phi: false,
    access: { action: 'status', resourceType: null },
  },
} as const satisfies Record<string, OperationRow>

export type StatusOperationId = keyof typeof statusOperations
