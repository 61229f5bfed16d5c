import type { AppLoadContext } from '@remix-run/server-runtime'
import { basePaths } from '../../server/contract/rest/openapi.ts'

/** Absolute base of the sandbox REST API, as a caller types it. */
export const sandboxBase = (context: AppLoadContext): string =>
  `${context.services.env.REST_ORIGIN}/sandbox/api/v1`

/** Absolute address of the MCP server, for clients. */
export const mcpAddress = (context: AppLoadContext, environment: 'sandbox' | 'production'): string =>
  `${context.services.env.REST_ORIGIN}${basePaths[environment]}/mcp`
