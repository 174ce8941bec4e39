import { UsageError } from '../../text/usage-error.ts'
import { SERVICE_NAME, URL_FRONTIER } from './protocol.ts'

/** Loads the library that speaks gRPC, which few need. */
export async function loadGrpc() {
  try {
    const [grpc, loader] = await Promise.all([
      import('@grpc/grpc-js'),
      import('@grpc/proto-loader'),
    ])
    // As numbers: no date or count of this protocol comes near 2^53.
    const options = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true }
    const definition = loader.fromJSON(URL_FRONTIER as never, options)
    return { grpc, service: definition[SERVICE_NAME] as import('@grpc/grpc-js').ServiceDefinition }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new UsageError(
      'a URL frontier speaks gRPC, for which two packages are missing: npm install @grpc/grpc-js @grpc/proto-loader',
    )
  }
}
