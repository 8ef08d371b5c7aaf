import { describeDevice } from '../core/identity/device.ts';
import { clientOf } from '../http/anonymous-windows.ts';
import type { PageContext } from './context.ts';

/** Who asks, as far as the request tells: an address to count attempts by, and a browser to be recognised by. */
export function clientAndDevice(c: PageContext): { client: string; device: string } {
	return { client: clientOf(c.req.raw), device: describeDevice(c.req.header('user-agent') ?? '') };
}
