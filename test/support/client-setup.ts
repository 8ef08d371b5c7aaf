import { buildClient } from '../../clients/typescript/tools/build.ts';

/** Builds the client's package, which the tests use as its customers do. */
export default async function setup(): Promise<void> {
	await buildClient();
}
