import { DEFAULT_LIMITS } from '../../../src/core/rate-limit/window.ts';
import { readApi } from '../../../src/dashboard/api-reference.ts';
import { docsPages } from '../../../src/dashboard/docs/pages.ts';
import { createApp } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { docsTexts } from './docs-texts.ts';

const noServices = (): never => {
	throw new Error('the document is made without a request');
};

/** The calls of the API, as the documentation has them. */
export const DOCS_CALLS = readApi(openApiDocument(createApp(noServices, noServices, noServices), '/'));

/** The documentation of a service with the usual configuration. */
export const DOCS_PAGES = docsPages(docsTexts(), DOCS_CALLS, {
	baseUrl: 'https://api.mailsonar.example',
	limits: { ...DEFAULT_LIMITS, windowSeconds: 900, resultsTtlMs: 172_800_000 },
});
