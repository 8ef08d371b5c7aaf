/** The origin of the widget, which the Content-Security-Policy of its page allows. */
export const CHALLENGE_ORIGIN = 'https://challenges.cloudflare.com';
/** The field that the widget adds to the form around it. */
export const CHALLENGE_FIELD = 'cf-turnstile-response';

/** Cloudflare's Turnstile widget, which checks for a person, mostly without a question. It needs scripts. */
export function Challenge({ siteKey }: { readonly siteKey: string }) {
	return (
		<>
			<div class="cf-turnstile" data-sitekey={siteKey} data-action="sign-in"></div>
			<noscript>
				<p>This check needs JavaScript. In a browser where you signed in before, it is not asked for.</p>
			</noscript>
			<script src={`${CHALLENGE_ORIGIN}/turnstile/v0/api.js`} async defer></script>
		</>
	);
}
