import { call } from '../support/service.ts';

/** The parts of a verification that the scenarios look at. */
export interface Verification {
	readonly status: string;
	readonly details: {
		readonly sub_status: string;
		readonly general: { readonly reason: string };
		readonly attributes: { readonly catch_all: boolean | null };
		readonly mail_server: { readonly smtp_provider: string | null; readonly gateway: string | null };
	};
}

/** Verifies one address; throws unless the answer is a 200. */
export async function verify(url: string, apiKey: string, address: string): Promise<Verification> {
	const { status, body, text } = await call(url, apiKey, 'POST', '/v1/verify', { email: address });
	if (status !== 200) throw new Error(`${address}: ${status} ${text}`);
	return (body as { data: Verification }).data;
}
