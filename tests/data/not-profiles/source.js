import { createServer } from 'node:http'

const port = process.env.PORT ?? 8080
let served = 0

createServer((request, response) => {
  served += 1
  if (served > 100) response.statusCode = 503
  response.end(String(served))
}).listen(port)
