import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

// The test files of this project share a runtime, because its start takes seconds. Its storage is reset before each.
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
