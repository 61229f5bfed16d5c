import type { DatabaseUrls } from '../../server/store/roles.ts'

/**
 * Loads the cast, the small set of pinned people and practices, into the template from which every test
 * database is copied. Must stay under 20 MB.
 */
export async function loadCast(_urls: DatabaseUrls): Promise<void> {}
