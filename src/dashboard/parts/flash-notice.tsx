import type { Flash } from '../flash.ts';
import { Notice } from './notice.tsx';

/** What was just done, on the page after it. */
export function FlashNotice({ flash }: { readonly flash: Flash | null }) {
	if (flash === null) return null;
	return <Notice kind={flash.kind} announce title={flash.text} />;
}
