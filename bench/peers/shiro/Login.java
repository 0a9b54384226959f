import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.apache.shiro.config.Ini;
import org.apache.shiro.web.env.IniWebEnvironment;
import org.apache.shiro.web.env.EnvironmentLoader;
import org.apache.shiro.web.servlet.ShiroFilter;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** Answers the name of the caller after a login by Basic, without a session. */
public class Login {
  public static void main(String[] words) throws Exception {
    ServletContextHandler context = new ServletContextHandler("/");
    Ini ini = new Ini();
    ini.load("[users]\nadmin = bench\n[urls]\n/whoami = noSessionCreation, authcBasic\n");
    IniWebEnvironment environment = new IniWebEnvironment();
    environment.setIni(ini);
    environment.setServletContext(context.getServletContext());
    environment.init();
    context.setAttribute(EnvironmentLoader.ENVIRONMENT_ATTRIBUTE_KEY, environment);
    context.addFilter(new FilterHolder(new ShiroFilter()), "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addServlet(new ServletHolder(new HttpServlet() {
      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.getWriter().write(request.getRemoteUser());
      }
    }), "/whoami");
    Server server = new Server(new InetSocketAddress("127.0.0.1", Integer.parseInt(words[0])));
    server.setHandler(context);
    server.start();
    server.join();
  }
}
