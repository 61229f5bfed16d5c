/** Saved replies with any text, for the scan of what people write. */
import { randomUUID } from 'node:crypto'
import type { Actor } from '../../server/domain/actor.ts'
import type { TestServices } from './services.ts'

type Act = (text: string, as: { reviewer: () => Actor }) => Promise<unknown>

/** By field: each step that stores its text. */
export function savedReplyActs(services: () => TestServices): Record<string, Act> {
  const reply = {
    reason: 'question:description_unclear' as const,
    title: 'Who uses it',
    text: 'Say who uses {app}.',
  }
  const acts = (field: 'title' | 'text'): [string, Act][] => [
    [
      `savedReplyForms.add.${field}`,
      (words, { reviewer }) => services().savedReplies.addReply({ ...reply, [field]: words }, reviewer()),
    ],
    [
      `savedReplyForms.save.${field}`,
      (words, { reviewer }) =>
        services().savedReplies.changeReply(
          { ...reply, [field]: words, id: randomUUID(), version: 0 },
          reviewer(),
        ),
    ],
  ]
  return Object.fromEntries([...acts('title'), ...acts('text')])
}
