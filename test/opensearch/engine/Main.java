import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;

/**
 * A real OpenSearch of one node on loopback, from the jars of Maven Central: java -cp 'lib/*' Main.java FOLDER PORT. It
 * prints its port, and ends when its input ends. The port 0 is one of the system's choice.
 */
public class Main extends Node {
  @SuppressWarnings({"unchecked", "rawtypes"})
  private Main(Environment environment, Collection plugins) {
    super(environment, plugins, true);
  }

  public static void main(String[] words) throws Exception {
    Settings settings = Settings.builder()
        .put("path.home", words[0])
        .put("cluster.name", "portico-tests")
        .put("node.name", "one")
        .put("discovery.type", "single-node")
        .put("network.host", "127.0.0.1")
        .put("http.port", words[1])
        .put("transport.port", "0")
        .put("http.type", "netty4")
        .put("transport.type", "netty4")
        .put("node.store.allow_mmap", false)
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .put("action.auto_create_index", false)
        .build();
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), Path.of(words[0], "config"), () -> "one");
    Main node = new Main(environment, modules());
    node.start();
    int port = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
    System.out.println("PORT " + port);
    while (System.in.read() >= 0);
    node.close();
    System.exit(0);
  }

  /** Version 2 takes classes, version 3 takes descriptions of plugins, and their classes have other names. */
  private static Collection<Object> modules() throws Exception {
    boolean isNew = Version.CURRENT.major >= 3;
    List<Object> modules = new ArrayList<>();
    for (String name : List.of("org.opensearch.transport.Netty4", "org.opensearch.analysis.common.CommonAnalysis")) {
      String className = name + (isNew ? "ModulePlugin" : "Plugin");
      modules.add(isNew ? description(className) : Class.forName(className));
    }
    return modules;
  }

  private static PluginInfo description(String className) throws Exception {
    return PluginInfo.class
        .getConstructor(String.class, String.class, String.class, Version.class, String.class, String.class, String.class,
            List.class, boolean.class)
        .newInstance(className, className, "1", Version.CURRENT, "11", className, null, List.of(), false);
  }
}
