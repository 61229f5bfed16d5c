import { defineConfig } from 'prisma/config'

// `generate` needs no database, so an unset URL must not be an error here.
const url = process.env.DATABASE_MIGRATION_URL ?? process.env.DATABASE_URL

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
})
