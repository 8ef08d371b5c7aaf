import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

// The files of this project share a runtime, whose start costs seconds; what one stored is gone before the next.
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
