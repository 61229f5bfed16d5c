/**
 * Whether a grant of the explorer still has somebody behind it: the session that asked for it, of a person who is in the
 * organization whose sandbox it is. Whatever ends one of them ends its tokens with the same statement.
 * As a condition on portal."grant" `g` and portal.practice `p`; true of every grant that is not the explorer's.
 * @param now a timestamptz
 */
export function explorerGrantSql(now: string): string {
  return `(g.explorer_session_id IS NULL OR EXISTS (
          SELECT 1 FROM portal.session s JOIN portal.account sa ON sa.id = s.account_id
            JOIN portal.membership sm ON sm.account_id = s.account_id AND sm.organization_id = p.organization_id
          WHERE s.id = g.explorer_session_id AND s.expires_at > ${now} AND sa.disabled_at IS NULL))`
}
