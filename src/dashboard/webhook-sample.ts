/** A receiver of events in Node, as the documentation shows it. A contract test runs it as it stands here. */
export const WEBHOOK_SAMPLE = `// npm install standardwebhooks
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.MAILSONAR_WEBHOOK_SECRET);
const seen = new Set(); // Yours: a table with a unique key.

createServer(async (request, response) => {
  let body = ''; // As it was sent: what is parsed and written again may differ.
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  let event;
  try {
    event = webhook.verify(body, request.headers);
  } catch {
    return response.writeHead(400).end(); // Not from us, changed on its way, or older than five minutes.
  }
  // The same event may come twice, with the same id.
  const id = request.headers['webhook-id'];
  if (!seen.has(id)) {
    seen.add(id);
    console.log(event.type, event.data.jobId ?? event.data.taskId ?? '');
  }
  response.writeHead(204).end(); // Within ten seconds: note it, answer, then work.
}).listen(process.env.PORT ?? 3000);
`;
