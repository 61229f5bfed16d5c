/** Who explores: a signed-in developer with the second step behind them, or a visitor. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { findSession } from '../services.server.ts'

export async function explorerSession(
  args: LoaderFunctionArgs | ActionFunctionArgs,
): Promise<{ id: string; accountId: string } | null> {
  const session = await findSession(args, 'developer')
  if (session === null || session.secondFactor === 'needed') return null
  return { id: session.id, accountId: session.accountId }
}
