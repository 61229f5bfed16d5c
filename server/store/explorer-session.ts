/**
 * Whether a key of the explorer still has somebody behind it: the session it was minted for, of a person who is in
 * the key's organization in a role that its level needs. Whatever ends one of them ends the key with the same
 * statement: nothing has to remember to revoke it.
 */

/** True of every key that is not the explorer's. @param key the alias of portal.api_key @param now a timestamptz */
export function explorerSessionSql(key: string, now: string): string {
  return `(${key}.explorer_session_id IS NULL OR EXISTS (
          SELECT 1 FROM portal.session s JOIN portal.account sa ON sa.id = s.account_id
            JOIN portal.membership sm ON sm.account_id = s.account_id AND sm.organization_id = ${key}.organization_id
          WHERE s.id = ${key}.explorer_session_id AND s.expires_at > ${now} AND sa.disabled_at IS NULL
            AND (${key}.level = 'read_only' OR sm.role <> 'viewer')))`
}
