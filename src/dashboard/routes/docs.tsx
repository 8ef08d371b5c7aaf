import type { Hono } from 'hono';
import { DEFAULT_LIMITS } from '../../core/rate-limit/policy.ts';
import { readApi } from '../api-reference.ts';
import type { ApiCall } from '../api-reference.ts';
import type { DashboardEnv } from '../context.ts';
import { exampleBase, viewOf } from '../make-view.ts';
import { DocsPage } from '../pages/docs.tsx';
import { showPage } from '../show-page.ts';

/** The API's documentation, made from its OpenAPI document. */
export function addDocs(app: Hono<DashboardEnv>, describeApi: () => object): void {
	let calls: readonly ApiCall[] | null = null;
	app.get('/docs', async (c) => {
		calls ??= readApi(describeApi());
		const { config, jobTiming } = c.var.services;
		const { resultsTtlMs } = jobTiming;
		const limits = { ...DEFAULT_LIMITS, windowSeconds: config.RATE_WINDOW_SECONDS, resultsTtlMs };
		const page = { baseUrl: exampleBase(c), calls, limits };
		return showPage(c, <DocsPage view={viewOf(c)} {...page} />);
	});
}
