import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** An OpenSearch node of one, on a port of this machine: java OpenSearchServer HOME PORT. */
public class OpenSearchServer extends Node {
  OpenSearchServer(Settings settings, Path home) {
    super(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home, () -> "bench"),
        List.of(Netty4Plugin.class),
        true);
  }

  public static void main(String[] arguments) throws Exception {
    Settings settings =
        Settings.builder()
            .put("path.home", arguments[0])
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("network.host", "127.0.0.1")
            .put("discovery.type", "single-node")
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .build();
    new OpenSearchServer(settings, Path.of(arguments[0])).start();
    Thread.currentThread().join();
  }
}
