import type { TestProject } from 'vitest/node';
import { startTestService } from './service.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		/** A running service that contract tests share; each makes accounts of its own. */
		service: { url: string; token: string };
	}
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
	const service = await startTestService();
	provide('service', { url: service.url, token: service.token });
	return () => service.remove();
}
